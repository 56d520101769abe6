import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker, useLocation } from 'react-router-dom';
import { session } from '../../state/session.ts';
import { useConfirm, useDismissQuestion } from '../feedback/confirm.tsx';

interface Guarded {
  hasChanges(): boolean;
  /** What is being saved may be left: the form goes by itself once that is done. */
  isSaving?(): boolean;
}

/** Of every form that stands: a page may have several of them, a router has one place to ask. */
const forms = new Set<() => Guarded>();
const hasAnyInput = (): boolean => [...forms].some((form) => form().hasChanges());
const hasAnyChanges = (): boolean => [...forms].some((form) => form().hasChanges() && !form().isSaving?.());

/** Asks before what was typed is lost: by another page, by closing the tab, by a session that has ended. */
export function useLeaveGuard(guarded: Guarded): void {
  const latest = useRef(guarded);
  latest.current = guarded;
  useEffect(() => {
    const form = () => latest.current;
    forms.add(form);
    return () => {
      forms.delete(form);
    };
  }, []);
}

/** Stands once, beside the page. */
export function LeaveGuard(): null {
  const ask = useAskToLeave();
  const dismiss = useDismissQuestion();
  const { pathname } = useLocation();
  // By Back, or to the sign-in: what a page asks does not stand over the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changed
  useEffect(() => dismiss, [pathname, dismiss]);
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
  useSignInElsewhere();
  return null;
}

/** A session that ends takes no form away: it can be saved after a sign-in in another tab, which signs in this one too. */
function useSignInElsewhere(): void {
  const confirm = useConfirm();
  const { t } = useTranslation('shell');
  useEffect(() => {
    let isAsking = false;
    async function ask(): Promise<void> {
      if (isAsking) return;
      isAsking = true;
      const question = { title: t('ended.title'), text: t('ended.text'), action: t('ended.action') };
      if (await confirm(question)) window.open('/login?expired=true', '_blank', 'noopener');
      isAsking = false;
    }
    return session.beforeExpiry({ isNeeded: hasAnyInput, ask: () => void ask() });
  }, [confirm, t]);
}

/** The question itself, also for a drawer that closes. */
export function useAskToLeave(): () => Promise<boolean> {
  const confirm = useConfirm();
  const { t } = useTranslation('shell');
  return () =>
    confirm({
      title: t('leave.title'),
      text: t('leave.text'),
      action: t('leave.action'),
      // A drawer asks when its own `Cancel` was pressed.
      cancel: t('leave.stay'),
      isDangerous: true,
    });
}
