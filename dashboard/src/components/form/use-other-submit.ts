import { useId, useRef } from 'react';

type Submit<Output> = (output: Output) => Promise<void>;

/** A second way to submit a form: its button is no submit button, so that Enter in a field uses the default one. */
export function useOtherSubmit<Output>(onSubmit: Submit<Output>, onOther: Submit<Output> | undefined) {
  const id = useId();
  const isOther = useRef(false);
  return {
    id,
    submit: (output: Output) => (isOther.current && onOther ? onOther(output) : onSubmit(output)),
    /** Pressed by the default button, too. */
    chooseDefault() {
      isOther.current = false;
    },
    submitOther() {
      isOther.current = true;
      const element = document.getElementById(id);
      if (element instanceof HTMLFormElement) element.requestSubmit();
    },
  };
}
