export const BasePage = () => null;
