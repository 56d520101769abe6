import { Textarea } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { PanelDialog } from './panel-dialog.tsx';

/** Without access to the clipboard: the text, to copy by hand. */
export function CopyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <PanelDialog title={t('copy.manual')} onClose={onClose}>
      <Textarea
        value={text}
        readOnly
        resize="vertical"
        rows={6}
        aria-label={t('copy.text')}
        style={{ width: '100%' }}
        onFocus={(event) => event.currentTarget.select()}
      />
    </PanelDialog>
  );
}
