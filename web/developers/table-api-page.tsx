export const TableApiPage = () => null;
