const day = 86_400_000;

/** `2030-12-31`, in UTC: usage is kept by days of UTC, wherever the server stands. */
export const daysBefore = (now: Date, count: number): string => new Date(now.getTime() - count * day).toISOString().slice(0, 10);
