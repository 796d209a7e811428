import { defineConfig } from 'vitest/config';

const packages = ['embedded-runtime', 'github-simulator', 'agents', 'bench'];

export default defineConfig({
  test: {
    // One more than the two cores that the suite is to be fast on: end-to-end tests wait for timers and disks.
    maxWorkers: 3,
    projects: packages.map((name) => ({
      test: {
        name,
        root: `./packages/${name}`,
        include: ['src/**/*.test.ts'],
        testTimeout: 30_000,
        hookTimeout: 30_000,
        // Modules keep no state, so test files may share them: loading them anew for each took a minute.
        isolate: false,
      },
    })),
  },
});
