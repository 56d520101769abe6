import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Nobody may ask for a second mail sooner (accounts spec, section 9). */
const lockSeconds = 30;

interface CodeButtonProps {
  label: string;
  /** Resolves with false when nothing was asked for: then the button stays open. */
  onSend: () => Promise<boolean>;
  appearance?: 'primary' | 'transparent';
}

/** Asks for a mail; then counts down until it may be asked for again. */
export function CodeButton({ label, onSend, appearance }: CodeButtonProps) {
  const { t } = useTranslation('shell');
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function send(): Promise<void> {
    setLeft(lockSeconds);
    if (!(await onSend())) setLeft(0);
  }

  return (
    <Button appearance={appearance} disabledFocusable={left > 0} onClick={() => void send()}>
      {left > 0 ? t('form.again', { seconds: left }) : label}
    </Button>
  );
}
