export const TokensPage = () => null;
