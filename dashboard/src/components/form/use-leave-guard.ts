import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { useConfirm } from '../feedback/confirm.tsx';

/** Of every form that stands: a page may have several of them, a router has one place to ask. */
const checks = new Set<() => boolean>();
const hasAnyChanges = (): boolean => [...checks].some((hasChanges) => hasChanges());

/** Asks before what was typed is lost: by another page, by closing the tab. */
export function useLeaveGuard(hasChanges: () => boolean): void {
  const latest = useRef(hasChanges);
  latest.current = hasChanges;
  useEffect(() => {
    const check = () => latest.current();
    checks.add(check);
    return () => {
      checks.delete(check);
    };
  }, []);
}

/** Stands once, beside the page. */
export function LeaveGuard(): null {
  const ask = useAskToLeave();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasAnyChanges(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void ask().then((mayLeave) => (mayLeave ? blocker.proceed() : blocker.reset()));
  }, [blocker, ask]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasAnyChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);
  return null;
}

/** The question itself, also for a drawer that closes. */
export function useAskToLeave(): () => Promise<boolean> {
  const confirm = useConfirm();
  const { t } = useTranslation('shell');
  return () =>
    confirm({ title: t('leave.title'), text: t('leave.text'), action: t('leave.action'), isDangerous: true });
}
