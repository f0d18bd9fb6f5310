export const faultsOf: (tag: string, changelog?: string) => string[];
export const notesOf: (version: string, changelog?: string) => string | undefined;
export const checksums: (folder: string) => void;
