export { grouped } from "../measure/sky/numbers";
