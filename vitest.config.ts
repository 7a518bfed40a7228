import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'contract/**/*.test.ts',
      'clients/**/*.test.ts',
      'demo/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    globalSetup: ['test/harness/global-setup.ts'],
    env: { TZ: 'UTC', NODE_ENV: 'test' },
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
