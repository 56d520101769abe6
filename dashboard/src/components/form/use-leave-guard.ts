import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { useConfirm } from '../feedback/confirm.tsx';

/** Asks before what was typed is lost: by another page, by closing the tab. */
export function useLeaveGuard(hasChanges: () => boolean): void {
  const ask = useAskToLeave();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasChanges(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void ask().then((mayLeave) => (mayLeave ? blocker.proceed() : blocker.reset()));
  }, [blocker, ask]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  });
}

/** The question itself, also for a drawer that closes. */
export function useAskToLeave(): () => Promise<boolean> {
  const confirm = useConfirm();
  const { t } = useTranslation('shell');
  return () =>
    confirm({ title: t('leave.title'), text: t('leave.text'), action: t('leave.action'), isDangerous: true });
}
