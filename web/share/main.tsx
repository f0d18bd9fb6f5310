// The page of a share: a way in of its own, so that visitors load neither the app nor its grid.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTheme } from '../ui/theme.ts';
import { SharePage } from './share-page.tsx';
import '../style.css';
import './share.css';

startTheme();
const [, shareId = ''] = /^\/share\/([^/]+)/.exec(window.location.pathname) ?? [];
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <SharePage shareId={shareId} />
  </StrictMode>,
);
