import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		pool: 'forks',
		disableConsoleIntercept: true,
		testTimeout: 300_000,
		hookTimeout: 300_000,
		env: {TZ: 'UTC', NO_COLOR: '1', HINDCAST_OFFLINE: '1'},
		reporters: ['default', './test/helpers/closing-line-reporter.ts'],
	},
});
