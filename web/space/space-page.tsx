export const SpacePage = () => null;
