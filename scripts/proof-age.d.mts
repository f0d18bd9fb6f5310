export declare const proves: Record<string, string[]>;
export declare const oldParts: (folder?: string, table?: Record<string, string[]>) => string[] | undefined;
