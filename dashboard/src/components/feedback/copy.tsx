import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  Textarea,
} from '@fluentui/react-components';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotify } from './notify.tsx';

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
      <Dialog open={text !== undefined} onOpenChange={(_event, { open }) => open || setText(undefined)}>
        <DialogSurface>
          <DialogBody>
            <DialogTitle>{t('copy.manual')}</DialogTitle>
            <DialogContent>
              <Textarea
                value={text ?? ''}
                readOnly
                resize="vertical"
                rows={6}
                aria-label={t('copy.text')}
                style={{ width: '100%' }}
                onFocus={(event) => event.currentTarget.select()}
              />
            </DialogContent>
            <DialogActions>
              <DialogTrigger disableButtonEnhancement>
                <Button appearance="primary">{t('action.close')}</Button>
              </DialogTrigger>
            </DialogActions>
          </DialogBody>
        </DialogSurface>
      </Dialog>
    </CopyContext>
  );
}
