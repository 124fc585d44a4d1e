#!/usr/bin/env node
import {execute} from '@oclif/core';

// A reader that has seen enough (`| head`) closes the pipe; that is no error.
process.stdout.on('error', error => {
	if (error.code === 'EPIPE') process.exit(0);
	throw error;
});

await execute({dir: import.meta.url});
