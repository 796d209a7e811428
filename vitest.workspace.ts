import { defineConfig } from 'vitest/config';

const packages = ['embedded-runtime', 'github-simulator', 'agents', 'bench'];

export default defineConfig({
  test: {
    // By default one core is left idle, which is half of a machine with two.
    maxWorkers: 2,
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
