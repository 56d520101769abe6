import { Field, Input, makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePublicAddress } from '../../api/status.ts';
import { CallExample } from '../../components/call-example.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SectionCard } from '../../components/section-card.tsx';

const protocols = ['OpenAI', 'Anthropic', 'Gemini'] as const;
type Protocol = (typeof protocols)[number];

const useStyles = makeStyles({
  example: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  address: { fontFamily: tokens.fontFamilyMonospace, width: '100%' },
});

/** The same server in the words of each client. */
export function ProtocolCard({ model }: { model: string }) {
  const { t } = useTranslation('home');
  const [protocol, setProtocol] = useState<Protocol>('OpenAI');
  return (
    <SectionCard title={t('protocol.title')} purpose={t('protocol.text')}>
      <TabList
        selectedValue={protocol}
        aria-label={t('protocol.label')}
        onTabSelect={(_event, { value }) => setProtocol(protocols.find((one) => one === value) ?? 'OpenAI')}
      >
        {protocols.map((one) => (
          <Tab key={one} value={one}>
            {one}
          </Tab>
        ))}
      </TabList>
      {protocol === 'OpenAI' ? <CallExample model={model} /> : <OwnExample {...{ protocol, model }} />}
    </SectionCard>
  );
}

function OwnExample({ protocol, model }: { protocol: 'Anthropic' | 'Gemini'; model: string }) {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const copy = useCopy();
  const baseUrl = usePublicAddress();
  return (
    <div className={styles.example}>
      <Field label={t('shell:example.baseUrl')}>
        <Input
          readOnly
          className={styles.address}
          value={baseUrl}
          contentAfter={
            <IconButton
              size="small"
              label={t('shell:example.copyBaseUrl')}
              icon={<Copy20Regular />}
              onClick={() => void copy(baseUrl)}
            />
          }
        />
      </Field>
      <CodeBlock code={programs[protocol](baseUrl, model)} label={t('shell:example.copy')} />
    </div>
  );
}

const programs = {
  Anthropic: (baseUrl: string, model: string) =>
    [
      `curl ${baseUrl}/v1/messages \\`,
      `  -H "x-api-key: sk-…" \\`,
      `  -H "anthropic-version: 2023-06-01" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"model":"${model}","max_tokens":256,`,
      `       "messages":[{"role":"user","content":"hi"}]}'`,
    ].join('\n'),
  Gemini: (baseUrl: string, model: string) =>
    [
      `curl ${baseUrl}/v1beta/models/${model}:generateContent \\`,
      `  -H "x-goog-api-key: sk-…" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"contents":[{"role":"user",`,
      `       "parts":[{"text":"hi"}]}]}'`,
    ].join('\n'),
};
