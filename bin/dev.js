#!/usr/bin/env -S node --import tsx
// The same commands, read from the sources: `node --import tsx bin/dev.js COMMAND`.
import {execute} from '@oclif/core';

await execute({development: true, dir: import.meta.url});
