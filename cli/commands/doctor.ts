export function define() {}
