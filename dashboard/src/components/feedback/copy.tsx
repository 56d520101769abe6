import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotify } from './notify.tsx';

const CopyDialog = lazy(() => import('./copy-dialog.tsx').then((file) => ({ default: file.CopyDialog })));

type Copy = (text: string, done?: string) => Promise<void>;

const CopyContext = createContext<Copy>(() => Promise.resolve());

/** `copy(text, t('copied'))`: into the clipboard and a toast, or a dialog to copy from by hand where the browser refuses. */
export const useCopy = (): Copy => useContext(CopyContext);

export function CopyProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const notify = useNotify();
  const [text, setText] = useState<string>();

  const copy = useCallback<Copy>(
    async (wanted, done) => {
      try {
        await navigator.clipboard.writeText(wanted);
      } catch {
        setText(wanted); // no clipboard outside https and localhost, or it was not allowed
        return;
      }
      notify.success(done ?? t('copy.done'));
    },
    [notify, t],
  );

  return (
    <CopyContext value={copy}>
      {children}
      <Suspense fallback={null}>
        {text !== undefined && <CopyDialog text={text} onClose={() => setText(undefined)} />}
      </Suspense>
    </CopyContext>
  );
}
