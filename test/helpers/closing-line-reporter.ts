import type {Reporter, TestModule} from 'vitest/node';

/** Ends the run with the plain line that any reader of a log understands. */
export default class ClosingLine implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const counts = {passed: 0, failed: 0, skipped: 0, pending: 0};
		let brokenFiles = 0;
		for (const module of modules) {
			for (const test of module.children.allTests()) counts[test.result().state]++;
			// A file that fails before its first test has no test to count.
			if (module.state() === 'failed' && module.errors().length > 0) brokenFiles++;
		}
		const {passed, failed, skipped} = counts;
		process.stdout.write(
			`\n${passed} passed, ${failed + brokenFiles} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
		);
	}
}
