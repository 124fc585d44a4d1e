import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fetchModel, HUB} from '../../embedders/fetch-model.js';
import {
	CHECKSUMS_FILE,
	findModel,
	hashFile,
	MODEL_FILES,
	MODELS,
	type ModelSpec,
	ownModelDir,
} from '../../embedders/models.js';
import {autoEmbedder, loadEmbedder} from '../../embedders/registry.js';
import {HindcastError} from '../../errors.js';
import {terminalPorts} from '../ports.js';
import type {ServiceResult} from '../result.js';
import {modelPlaces} from '../session.js';

export interface ModelsFlags {
	readonly quiet: boolean;
	readonly offline: boolean;
	readonly 'model-dir'?: string | undefined;
}

/** `hindcast models list` */
export async function runModelsList(flags: ModelsFlags): Promise<ServiceResult> {
	const places = modelPlaces(flags);
	const models = MODELS.map(spec => ({
		name: spec.name,
		dim: spec.dim,
		about: spec.about,
		licence: spec.licence,
		hub: spec.hub,
		found: findModel(spec, places),
		place: join(ownModelDir(places), spec.name),
		files: MODEL_FILES,
	}));
	const statics = await loadEmbedder('static', places);
	const auto = autoEmbedder(places);
	const lines = models.map(({name, dim, about, licence, found, place}) =>
		[
			`${name} (${dim} numbers, ${licence}): ${about}`,
			found ? `  found in ${found}` : `  not here; files go to ${place}: ${MODEL_FILES.join(', ')}`,
		].join('\n'),
	);
	return {
		json: {auto, models, static: {fingerprint: statics.fingerprint, dim: statics.dim}},
		text: [
			`static (${statics.dim} numbers): built in, always here`,
			...lines,
			'bilingual: both models side by side, weighted by the share of Chinese',
			`auto takes: ${auto}`,
		].join('\n'),
		exit: 0,
	};
}

/** @throws MODEL_UNKNOWN */
function specOf(name: string): ModelSpec {
	const spec = MODELS.find(model => model.name === name);
	if (spec) return spec;
	throw new HindcastError('MODEL_UNKNOWN', {
		message: `There is no model "${name}". Known: ${MODELS.map(model => model.name).join(', ')}.`,
	});
}

export interface ModelsFetchFlags extends ModelsFlags {
	readonly names: readonly string[];
	readonly force: boolean;
}

/** `hindcast models fetch NAME…` */
export async function runModelsFetch(flags: ModelsFetchFlags): Promise<ServiceResult> {
	const places = modelPlaces(flags);
	const {progress} = await terminalPorts(flags);
	const fetched: {name: string; folder: string; was_here: boolean}[] = [];
	for (const spec of flags.names.map(specOf)) {
		const found = findModel(spec, places);
		if (found && !flags.force) {
			fetched.push({name: spec.name, folder: found, was_here: true});
			continue;
		}
		if (flags.offline) throw new HindcastError('OFFLINE', {message: `Fetching ${spec.name} needs the network.`});
		progress.start(`fetch ${spec.name} (kB)`, null);
		let before = 0;
		const folder = await fetchModel(spec, ownModelDir(places), {
			fetch: globalThis.fetch,
			endpoint: process.env.HF_ENDPOINT ?? HUB,
			onProgress(_file, bytes) {
				progress.advance(Math.max(0, Math.round((bytes - before) / 1000)));
				before = bytes;
			},
		}).finally(() => progress.stop());
		fetched.push({name: spec.name, folder, was_here: false});
	}
	return {
		json: {models: fetched},
		text: fetched
			.map(({name, folder, was_here}) => `${name}: ${was_here ? 'already in' : 'fetched to'} ${folder}`)
			.join('\n'),
		exit: 0,
	};
}

export interface ModelsVerifyFlags extends ModelsFlags {
	readonly names: readonly string[];
}

/** `hindcast models verify [NAME…]`: hashes against those kept at the download, and a trial run. */
export async function runModelsVerify(flags: ModelsVerifyFlags): Promise<ServiceResult> {
	const places = modelPlaces(flags);
	const specs = flags.names.length > 0 ? flags.names.map(specOf) : MODELS.filter(spec => findModel(spec, places));
	const findings: {kind: string; where: string; detail: string}[] = [];
	const models = [];
	for (const spec of specs) {
		const folder = findModel(spec, places);
		if (!folder) {
			findings.push({kind: 'missing', where: spec.name, detail: join(ownModelDir(places), spec.name)});
			continue;
		}
		const hashes = Object.fromEntries(
			await Promise.all(MODEL_FILES.map(async file => [file, await hashFile(join(folder, file))])),
		);
		const kept = readChecksums(folder);
		for (const [file, sha] of Object.entries(kept ?? {})) {
			if (hashes[file] !== sha)
				findings.push({kind: 'changed', where: join(folder, file), detail: `sha256 ${hashes[file]}, was ${sha}`});
		}
		const problem = await tryModel(spec, places);
		if (problem) findings.push({kind: 'does_not_run', where: folder, detail: problem});
		models.push({name: spec.name, folder, sha256: hashes, checksums: kept ? 'kept' : 'none'});
	}
	return {
		json: {models, findings},
		text: [
			...models.map(
				({name, folder, checksums}) =>
					`${name}: ${folder} (${checksums === 'kept' ? 'checked against its download' : 'no checksums kept'})`,
			),
			...findings.map(({kind, where, detail}) => `${kind}  ${where}  ${detail}`),
			findings.length === 0 ? 'No findings.' : `${findings.length} findings`,
		].join('\n'),
		exit: findings.length === 0 ? 0 : 4,
	};
}

function readChecksums(folder: string): Record<string, string> | null {
	const path = join(folder, CHECKSUMS_FILE);
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : null;
}

/** Embeds a sentence. @returns what is wrong, or null */
async function tryModel(spec: ModelSpec, places: ReturnType<typeof modelPlaces>): Promise<string | null> {
	try {
		const embedder = await loadEmbedder(spec.name, {...places, download: undefined});
		const [vector] = await embedder.embed(['晚上那杯浓茶让我睡不着。 A cup of tea.']);
		const length = Math.hypot(...vector!);
		if (vector!.length !== spec.dim) return `${vector!.length} numbers, not ${spec.dim}`;
		return Math.abs(length - 1) < 1e-3 ? null : `a vector of length ${length}`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
