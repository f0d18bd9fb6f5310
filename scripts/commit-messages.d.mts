export function messageFaults(message: string): string[];
export function commitFaults(): string[];
