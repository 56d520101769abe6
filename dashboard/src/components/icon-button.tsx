import { Button, type ButtonProps, Tooltip } from '@fluentui/react-components';
import type { ReactElement } from 'react';

interface IconButtonProps extends Pick<ButtonProps, 'appearance' | 'size' | 'disabledFocusable' | 'className'> {
  onClick?: () => void;
  label: string;
  icon: ReactElement;
}

/** A picture that says in words what it does to those who point at it or cannot see it. */
export function IconButton({ label, appearance = 'subtle', ...button }: IconButtonProps) {
  return (
    <Tooltip content={label} relationship="label">
      <Button {...button} appearance={appearance} />
    </Tooltip>
  );
}
