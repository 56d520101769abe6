import { type ComponentType, Suspense } from 'react';
import { Navigate } from 'react-router-dom';
import { useStatus, useStatusState } from '../../api/status.ts';
import { lazyPart } from '../../components/lazy-part.tsx';
import { isAdmin, type SessionUser, sessionUser } from '../../state/session.ts';

const Home = lazyPart(async () => (await import('../home/home-page.tsx')).HomePage);
const Overview = lazyPart(async () => (await import('./overview-page.tsx')).OverviewPage);
const OwnOverview = lazyPart(async () => (await import('./own-overview-page.tsx')).OwnOverviewPage);

/** What `/` shows: the public home to visitors, the overview to users, that of the whole installation to admins. */
export async function loadStartPage(): Promise<ComponentType> {
  await load(sessionUser.get());
  return StartPage;
}

/** Fetched together with this file, so that nothing flickers; another one follows a sign-in. */
function load(user: SessionUser | undefined): Promise<unknown> {
  return pageOf(user).fetchPart();
}

function pageOf(user: SessionUser | undefined) {
  if (!user) return Home;
  return isAdmin(user) ? Overview : OwnOverview;
}

function StartPage() {
  const user = sessionUser.use();
  const { setup: isSetUp } = useStatus();
  const { isCurrent } = useStatusState();
  // A fresh installation has nothing to show yet, and only this machine reaches it.
  if (!user && isCurrent && !isSetUp) return <Navigate to="/setup" replace />;
  const Page = pageOf(user);
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  );
}
