// The browser's way in: the screen that the address names, its data and the app are asked for at once; meanwhile the theme
// is found, before anything is drawn.
import { startTheme } from './ui/theme.ts';
import { askForScreen } from './shell/first-screen.ts';
import './style.css';

const screen = askForScreen(window.location);
void import('./shell/start.tsx').then(({ start }) => start(screen));
startTheme();
