import { runYosys } from '@yowasp/yosys';
const bits = 8 * Number(process.argv[2] ?? 1);
const source = `module multiply(input clk, input [${bits - 1}:0] a, b, output reg [${bits - 1}:0] n); always @(posedge clk) n <= a * b; endmodule`;
const files = await runYosys(['-q', '-p', 'read_verilog in.v; synth -flatten; write_verilog out.v'], { 'in.v': source });
console.log(files['out.v']);
