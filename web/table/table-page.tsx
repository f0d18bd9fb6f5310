export const TablePage = () => null;
