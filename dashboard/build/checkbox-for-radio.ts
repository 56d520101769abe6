/** Stands where a table asks for Fluent's `Radio`, which it never draws here. */
export { Checkbox as Radio } from '@fluentui/react-components';
