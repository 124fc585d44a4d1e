import {bench} from './bench.js';
import {chatgpt} from './chatgpt.js';
import {claude} from './claude.js';
import {claudeCode} from './claude-code.js';
import {locomo} from './locomo.js';
import {markdown} from './markdown.js';
import {openai} from './openai.js';
import type {FormatId, Importer} from './port.js';
import {sharegpt} from './sharegpt.js';

/** Every importer, in the order in which their sniffers are asked: the more specific shape first. */
export const importers: readonly Importer[] = [locomo, bench, claudeCode, claude, chatgpt, sharegpt, openai, markdown];

/** The ids for `--format`. */
export const formatIds: readonly FormatId[] = importers.map(({id}) => id);

/** The importer of that id, or null. */
export const importerOf = (id: string): Importer | null => importers.find(importer => importer.id === id) ?? null;
