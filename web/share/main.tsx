// The page of a share: a way in of its own, so that visitors load neither the app nor its grid.
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { startTheme } from '../ui/theme.ts';
import { SharePage } from './share-page.tsx';
import '../style.css';
import './share.css';

startTheme();
/** Few visitors look at one. */
const SharedDashboard = lazy(async () => ({ default: (await import('./shared-dashboard.tsx')).SharedDashboard }));
const SharedBase = lazy(async () => ({ default: (await import('./base/shared-base.tsx')).SharedBase }));

const pages: Readonly<Record<string, typeof SharedBase>> = { dashboard: SharedDashboard, base: SharedBase };

const [, shareId = '', what] = /^\/share\/([^/]+)(?:\/([^/]+))?/.exec(window.location.pathname) ?? [];
const Page = pages[what ?? ''];
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    {Page !== undefined ? (
      <Suspense fallback={null}>
        <Page shareId={shareId} />
      </Suspense>
    ) : (
      <SharePage shareId={shareId} />
    )}
  </StrictMode>,
);
