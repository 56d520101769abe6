import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate } from 'react-router-dom';
import { useStatus, useStatusState } from '../../api/status.ts';
import { isAdmin, type SessionUser, sessionUser } from '../../state/session.ts';

const loadHome = async () => (await import('../home/home-page.tsx')).HomePage;
const loadOverview = async () => (await import('./overview-page.tsx')).OverviewPage;
const loadOwnOverview = async () => (await import('./own-overview-page.tsx')).OwnOverviewPage;

const Home = lazy(async () => ({ default: await loadHome() }));
const Overview = lazy(async () => ({ default: await loadOverview() }));
const OwnOverview = lazy(async () => ({ default: await loadOwnOverview() }));

/** What `/` shows: the public home to visitors, the overview to users, that of the whole installation to admins. */
export async function loadStartPage(): Promise<ComponentType> {
  await load(sessionUser.get());
  return StartPage;
}

/** Fetched together with this file, so that nothing flickers; another one follows a sign-in. */
function load(user: SessionUser | undefined): Promise<unknown> {
  if (!user) return loadHome();
  return isAdmin(user) ? loadOverview() : loadOwnOverview();
}

function StartPage() {
  const user = sessionUser.use();
  const { setup: isSetUp } = useStatus();
  const { isCurrent } = useStatusState();
  // A fresh installation has nothing to show yet, and only this machine reaches it.
  if (!user && isCurrent && !isSetUp) return <Navigate to="/setup" replace />;
  const Page = user ? (isAdmin(user) ? Overview : OwnOverview) : Home;
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  );
}
