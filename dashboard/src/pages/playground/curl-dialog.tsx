import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { usePublicAddress } from '../../api/status.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { chatBody, curlOf } from './chat-body.ts';
import type { Message } from './conversation.ts';
import type { PlaygroundSettings } from './setting.ts';

interface CurlDialogProps {
  messages: Message[];
  settings: PlaygroundSettings;
  onClose: () => void;
}

/** The last question as a command that asks it again. */
export function CurlDialog({ messages, settings, onClose }: CurlDialogProps) {
  const { t } = useTranslation('playground');
  const address = usePublicAddress();
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  const body = chatBody(messages.slice(0, lastQuestion + 1), settings);
  return (
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('curl.title')}</DialogTitle>
          <DialogContent>
            <CodeBlock code={curlOf(body, `${address}/v1`)} label={t('curl.copy')} />
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              {t('shell:action.close')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
