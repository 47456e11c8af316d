import { format } from '@wasm-fmt/gofmt/node';
console.log(format('package main\nfunc main(){for i:=0;i<10;i++{println( i )}}\n'));
