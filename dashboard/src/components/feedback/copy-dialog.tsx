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
import { useTranslation } from 'react-i18next';

/** Without access to the clipboard: the text, to copy by hand. */
export function CopyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('copy.manual')}</DialogTitle>
          <DialogContent>
            <Textarea
              value={text}
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
  );
}
