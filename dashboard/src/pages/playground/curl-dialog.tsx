import { useTranslation } from 'react-i18next';
import { usePublicAddress } from '../../api/status.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
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
    <PanelDialog title={t('curl.title')} onClose={onClose}>
      <CodeBlock code={curlOf(body, `${address}/v1`)} label={t('curl.copy')} />
    </PanelDialog>
  );
}
