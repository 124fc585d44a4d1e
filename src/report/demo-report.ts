import type {Zone} from '../core/time.js';
import type {Funnel, PoolCounts} from './counts.js';
import type {GoldRow} from './gold.js';
import {reportHtml} from './html.js';
import {reportMarkdown} from './markdown.js';
import type {ShownTarget} from './shown.js';

/** Everything that the demo's report shows. */
export interface DemoReport {
	/** The memory zone, in which times are shown. */
	readonly zone: Zone;
	readonly arms: readonly string[];
	readonly counts: readonly PoolCounts[];
	readonly funnels: readonly Funnel[];
	readonly gold: readonly GoldRow[];
	/** By line and time. */
	readonly targets: readonly ShownTarget[];
}

/** What each arm delivered, with the quotes and where they come from: HTML in one file, and shorter as Markdown. */
export const demoReport = (report: DemoReport): {html: string; markdown: string} => ({
	html: reportHtml(report),
	markdown: reportMarkdown(report),
});
