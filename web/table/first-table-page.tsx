export const FirstTablePage = () => null;
