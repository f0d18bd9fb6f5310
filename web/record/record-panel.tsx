export const RecordPanel = (_props: Record<string, unknown>) => null;
