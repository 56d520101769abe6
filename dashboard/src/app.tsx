import { AriaLiveAnnouncer, createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { queryClient } from './api/query-client.ts';
import { ConfirmProvider } from './components/feedback/confirm.tsx';
import { CopyProvider } from './components/feedback/copy.tsx';
import { NotifyOutlet } from './components/feedback/notify.tsx';
import { LeaveGuard } from './components/form/use-leave-guard.ts';
import { ErrorPage } from './components/shell/error-page.tsx';
import { Shell } from './components/shell/shell.tsx';
import { type PageEntry, pages } from './pages.ts';
import { SessionGuard } from './state/session-guard.tsx';
import { useThemeChoice } from './state/theme-choice.ts';

const ForbiddenPage = lazy(() =>
  import('./pages/not-found/forbidden-page.tsx').then((file) => ({ default: file.ForbiddenPage })),
);

const notFound: RouteObject = {
  path: '*',
  handle: { isWide: true },
  lazy: async () => ({ Component: (await import('./pages/not-found/not-found-page.tsx')).NotFoundPage }),
};

const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [
      {
        // Inside the frame: a page that fails leaves the navigation usable.
        errorElement: <ErrorPage />,
        children: [...pages.map(toRoute), notFound],
      },
    ],
    HydrateFallback: () => null,
  },
]);

/** The page's style sheets carry the nonce of the response it came with. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const renderer = createDOMRenderer(document, { styleElementAttributes: { nonce } });

export function App() {
  const theme = useThemeChoice();
  return (
    <RendererProvider renderer={renderer}>
      <FluentProvider theme={theme} style={{ minHeight: '100vh' }}>
        <AriaLiveAnnouncer>
          <QueryClientProvider client={queryClient}>
            <NotifyOutlet />
            <ConfirmProvider>
              <CopyProvider>
                <RouterProvider router={router} />
              </CopyProvider>
            </ConfirmProvider>
          </QueryClientProvider>
        </AriaLiveAnnouncer>
      </FluentProvider>
    </RendererProvider>
  );
}

const forbidden = (
  <Suspense fallback={null}>
    <ForbiddenPage />
  </Suspense>
);

function toRoute({ path, access, isWide = false, load }: PageEntry): RouteObject {
  return {
    path,
    handle: { isWide },
    lazy: async () => {
      const Component = await load();
      return {
        element: (
          <SessionGuard access={access} forbidden={forbidden}>
            <Component />
            <LeaveGuard />
          </SessionGuard>
        ),
      };
    },
  };
}
