import {bench} from './bench.js';
import {chatgpt} from './chatgpt.js';
import {claude} from './claude.js';
import {locomo} from './locomo.js';
import {openai} from './openai.js';
import type {FormatId, Importer} from './port.js';

/** Every importer, in the order in which their sniffers are asked: the more specific shape first. */
export const importers: readonly Importer[] = [locomo, bench, claude, chatgpt, openai];

/** The ids for `--format`. */
export const formatIds: readonly FormatId[] = importers.map(({id}) => id);

/** The importer of that id, or null. */
export const importerOf = (id: string): Importer | null => importers.find(importer => importer.id === id) ?? null;
