import type { Plugin } from 'vite';

export const builtModules: Plugin;
