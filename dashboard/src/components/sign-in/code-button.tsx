import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A second mail may not be requested sooner (accounts spec, section 9). */
const lockSeconds = 30;

interface CodeButtonProps {
  label: string;
  /** Resolves with false when nothing was asked for: then the button stays open. */
  onSend: () => Promise<boolean>;
  appearance?: 'primary' | 'transparent';
}

/** Counts down after each mail that was asked for; until then no other is, by button or by Enter. */
export function useCodeLock(onSend: CodeButtonProps['onSend']) {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  async function send(): Promise<void> {
    if (left > 0) return;
    setLeft(lockSeconds);
    if (!(await onSend())) setLeft(0);
  }

  return { left, send };
}

/** Asks for a mail. */
export function CodeButton({ label, onSend, appearance }: CodeButtonProps) {
  const { left, send } = useCodeLock(onSend);
  return <LockedButton {...{ label, left, appearance }} onClick={() => void send()} />;
}

interface LockedButtonProps extends Pick<CodeButtonProps, 'label' | 'appearance'> {
  left: number;
  /** Left out where the button sends its form. */
  onClick?: () => void;
}

/** Says how long it is locked. */
export function LockedButton({ label, left, appearance, onClick }: LockedButtonProps) {
  const { t } = useTranslation('shell');
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      appearance={appearance}
      disabledFocusable={left > 0}
      onClick={onClick}
      size={appearance === 'primary' ? 'large' : 'medium'}
    >
      {left > 0 ? t('form.again', { seconds: left }) : label}
    </Button>
  );
}
