import { defineConfig } from 'vitest/config';

const packages = ['embedded-runtime', 'github-simulator', 'agents', 'bench'];

export default defineConfig({
  test: {
    projects: packages.map((name) => ({
      test: {
        name,
        root: `./packages/${name}`,
        include: ['src/**/*.test.ts'],
        testTimeout: 30_000,
        hookTimeout: 30_000,
      },
    })),
  },
});
