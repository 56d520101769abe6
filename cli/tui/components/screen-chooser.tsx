import { useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { useStatus } from '../hooks/use-status.tsx';
import type { ScreenEntry } from '../screens/registry.ts';
import { TextInput } from './text-input.tsx';

interface ScreenChooserProps {
  screens: ScreenEntry[];
  onChoose(screen: ScreenEntry): void;
  onClose(): void;
}

/** `:` and the number or the beginning of the name of a screen, in either language. */
export function ScreenChooser({ screens, onChoose, onClose }: ScreenChooserProps) {
  const { speak } = useEnvironment();
  const { say } = useStatus();
  const [text, setText] = useState('');
  const choose = () => {
    onClose();
    const wanted = text.trim().toLowerCase();
    const screen = screens.find(({ id, digit, title }) =>
      [id, digit, speak(title).toLowerCase()].some((name) => wanted !== '' && name.startsWith(wanted)),
    );
    if (screen) onChoose(screen);
    else if (wanted !== '') say(speak('tui.noScreen', { name: wanted, some: screens.map(({ id }) => id).join(', ') }));
  };
  return <TextInput label=" :" value={text} onChange={setText} onEnter={choose} onEscape={onClose} />;
}
