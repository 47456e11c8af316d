(module
  (type (;0;) (func))
  (type (;1;) (func (param i32)))
  (type (;2;) (func))
  (import "wasm_perf" "perf_start" (func $perf_start (;0;) (type 1)))
  (import "wasm_perf" "perf_end" (func $perf_end (;1;) (type 2)))
  (func $f0 (;2;) (type 0)
    i32.const 2
    call $perf_start
    call $perf_end
  )
  (func $f1 (;3;) (type 0)
    i32.const 3
    call $perf_start
    call $perf_end
  )
  (func $f2 (;4;) (type 0)
    i32.const 4
    call $perf_start
    call $perf_end
  )
  (func $f3 (;5;) (type 0)
    i32.const 5
    call $perf_start
    call $perf_end
  )
  (func $f4 (;6;) (type 0)
    i32.const 6
    call $perf_start
    call $perf_end
  )
  (func $f5 (;7;) (type 0)
    i32.const 7
    call $perf_start
    call $perf_end
  )
  (func $f6 (;8;) (type 0)
    i32.const 8
    call $perf_start
    call $perf_end
  )
  (func $f7 (;9;) (type 0)
    i32.const 9
    call $perf_start
    call $perf_end
  )
  (func $f8 (;10;) (type 0)
    i32.const 10
    call $perf_start
    call $perf_end
  )
  (func $f9 (;11;) (type 0)
    i32.const 11
    call $perf_start
    call $perf_end
  )
  (func $f10 (;12;) (type 0)
    i32.const 12
    call $perf_start
    call $perf_end
  )
  (func $f11 (;13;) (type 0)
    i32.const 13
    call $perf_start
    call $perf_end
  )
  (func $f12 (;14;) (type 0)
    i32.const 14
    call $perf_start
    call $perf_end
  )
  (func $f13 (;15;) (type 0)
    i32.const 15
    call $perf_start
    call $perf_end
  )
  (func $f14 (;16;) (type 0)
    i32.const 16
    call $perf_start
    call $perf_end
  )
  (func $f15 (;17;) (type 0)
    i32.const 17
    call $perf_start
    call $perf_end
  )
  (func $f16 (;18;) (type 0)
    i32.const 18
    call $perf_start
    call $perf_end
  )
  (func $f17 (;19;) (type 0)
    i32.const 19
    call $perf_start
    call $perf_end
  )
  (func $f18 (;20;) (type 0)
    i32.const 20
    call $perf_start
    call $perf_end
  )
  (func $f19 (;21;) (type 0)
    i32.const 21
    call $perf_start
    call $perf_end
  )
  (func $f20 (;22;) (type 0)
    i32.const 22
    call $perf_start
    call $perf_end
  )
  (func $f21 (;23;) (type 0)
    i32.const 23
    call $perf_start
    call $perf_end
  )
  (func $f22 (;24;) (type 0)
    i32.const 24
    call $perf_start
    call $perf_end
  )
  (func $f23 (;25;) (type 0)
    i32.const 25
    call $perf_start
    call $perf_end
  )
  (func $f24 (;26;) (type 0)
    i32.const 26
    call $perf_start
    call $perf_end
  )
  (func $f25 (;27;) (type 0)
    i32.const 27
    call $perf_start
    call $perf_end
  )
  (func $f26 (;28;) (type 0)
    i32.const 28
    call $perf_start
    call $perf_end
  )
  (func $f27 (;29;) (type 0)
    i32.const 29
    call $perf_start
    call $perf_end
  )
  (func $f28 (;30;) (type 0)
    i32.const 30
    call $perf_start
    call $perf_end
  )
  (func $f29 (;31;) (type 0)
    i32.const 31
    call $perf_start
    call $perf_end
  )
  (func $f30 (;32;) (type 0)
    i32.const 32
    call $perf_start
    call $perf_end
  )
  (func $f31 (;33;) (type 0)
    i32.const 33
    call $perf_start
    call $perf_end
  )
  (func $f32 (;34;) (type 0)
    i32.const 34
    call $perf_start
    call $perf_end
  )
  (func $f33 (;35;) (type 0)
    i32.const 35
    call $perf_start
    call $perf_end
  )
  (func $f34 (;36;) (type 0)
    i32.const 36
    call $perf_start
    call $perf_end
  )
  (func $f35 (;37;) (type 0)
    i32.const 37
    call $perf_start
    call $perf_end
  )
  (func $f36 (;38;) (type 0)
    i32.const 38
    call $perf_start
    call $perf_end
  )
  (func $f37 (;39;) (type 0)
    i32.const 39
    call $perf_start
    call $perf_end
  )
  (func $f38 (;40;) (type 0)
    i32.const 40
    call $perf_start
    call $perf_end
  )
  (func $f39 (;41;) (type 0)
    i32.const 41
    call $perf_start
    call $perf_end
  )
  (func $f40 (;42;) (type 0)
    i32.const 42
    call $perf_start
    call $perf_end
  )
  (func $f41 (;43;) (type 0)
    i32.const 43
    call $perf_start
    call $perf_end
  )
  (func $f42 (;44;) (type 0)
    i32.const 44
    call $perf_start
    call $perf_end
  )
  (func $f43 (;45;) (type 0)
    i32.const 45
    call $perf_start
    call $perf_end
  )
  (func $f44 (;46;) (type 0)
    i32.const 46
    call $perf_start
    call $perf_end
  )
  (func $f45 (;47;) (type 0)
    i32.const 47
    call $perf_start
    call $perf_end
  )
  (func $f46 (;48;) (type 0)
    i32.const 48
    call $perf_start
    call $perf_end
  )
  (func $f47 (;49;) (type 0)
    i32.const 49
    call $perf_start
    call $perf_end
  )
  (func $f48 (;50;) (type 0)
    i32.const 50
    call $perf_start
    call $perf_end
  )
  (func $f49 (;51;) (type 0)
    i32.const 51
    call $perf_start
    call $perf_end
  )
  (func $f50 (;52;) (type 0)
    i32.const 52
    call $perf_start
    call $perf_end
  )
  (func $f51 (;53;) (type 0)
    i32.const 53
    call $perf_start
    call $perf_end
  )
  (func $f52 (;54;) (type 0)
    i32.const 54
    call $perf_start
    call $perf_end
  )
  (func $f53 (;55;) (type 0)
    i32.const 55
    call $perf_start
    call $perf_end
  )
  (func $f54 (;56;) (type 0)
    i32.const 56
    call $perf_start
    call $perf_end
  )
  (func $f55 (;57;) (type 0)
    i32.const 57
    call $perf_start
    call $perf_end
  )
  (func $f56 (;58;) (type 0)
    i32.const 58
    call $perf_start
    call $perf_end
  )
  (func $f57 (;59;) (type 0)
    i32.const 59
    call $perf_start
    call $perf_end
  )
  (func $f58 (;60;) (type 0)
    i32.const 60
    call $perf_start
    call $perf_end
  )
  (func $f59 (;61;) (type 0)
    i32.const 61
    call $perf_start
    call $perf_end
  )
  (func $f60 (;62;) (type 0)
    i32.const 62
    call $perf_start
    call $perf_end
  )
  (func $f61 (;63;) (type 0)
    i32.const 63
    call $perf_start
    call $perf_end
  )
  (func $f62 (;64;) (type 0)
    i32.const 64
    call $perf_start
    call $perf_end
  )
  (func $f63 (;65;) (type 0)
    i32.const 65
    call $perf_start
    call $perf_end
  )
  (func $f64 (;66;) (type 0)
    i32.const 66
    call $perf_start
    call $perf_end
  )
  (func $f65 (;67;) (type 0)
    i32.const 67
    call $perf_start
    call $perf_end
  )
  (func $f66 (;68;) (type 0)
    i32.const 68
    call $perf_start
    call $perf_end
  )
  (func $f67 (;69;) (type 0)
    i32.const 69
    call $perf_start
    call $perf_end
  )
  (func $f68 (;70;) (type 0)
    i32.const 70
    call $perf_start
    call $perf_end
  )
  (func $f69 (;71;) (type 0)
    i32.const 71
    call $perf_start
    call $perf_end
  )
  (func $f70 (;72;) (type 0)
    i32.const 72
    call $perf_start
    call $perf_end
  )
  (func $f71 (;73;) (type 0)
    i32.const 73
    call $perf_start
    call $perf_end
  )
  (func $f72 (;74;) (type 0)
    i32.const 74
    call $perf_start
    call $perf_end
  )
  (func $f73 (;75;) (type 0)
    i32.const 75
    call $perf_start
    call $perf_end
  )
  (func $f74 (;76;) (type 0)
    i32.const 76
    call $perf_start
    call $perf_end
  )
  (func $f75 (;77;) (type 0)
    i32.const 77
    call $perf_start
    call $perf_end
  )
  (func $f76 (;78;) (type 0)
    i32.const 78
    call $perf_start
    call $perf_end
  )
  (func $f77 (;79;) (type 0)
    i32.const 79
    call $perf_start
    call $perf_end
  )
  (func $f78 (;80;) (type 0)
    i32.const 80
    call $perf_start
    call $perf_end
  )
  (func $f79 (;81;) (type 0)
    i32.const 81
    call $perf_start
    call $perf_end
  )
  (func $f80 (;82;) (type 0)
    i32.const 82
    call $perf_start
    call $perf_end
  )
  (func $f81 (;83;) (type 0)
    i32.const 83
    call $perf_start
    call $perf_end
  )
  (func $f82 (;84;) (type 0)
    i32.const 84
    call $perf_start
    call $perf_end
  )
  (func $f83 (;85;) (type 0)
    i32.const 85
    call $perf_start
    call $perf_end
  )
  (func $f84 (;86;) (type 0)
    i32.const 86
    call $perf_start
    call $perf_end
  )
  (func $f85 (;87;) (type 0)
    i32.const 87
    call $perf_start
    call $perf_end
  )
  (func $f86 (;88;) (type 0)
    i32.const 88
    call $perf_start
    call $perf_end
  )
  (func $f87 (;89;) (type 0)
    i32.const 89
    call $perf_start
    call $perf_end
  )
  (func $f88 (;90;) (type 0)
    i32.const 90
    call $perf_start
    call $perf_end
  )
  (func $f89 (;91;) (type 0)
    i32.const 91
    call $perf_start
    call $perf_end
  )
  (func $f90 (;92;) (type 0)
    i32.const 92
    call $perf_start
    call $perf_end
  )
  (func $f91 (;93;) (type 0)
    i32.const 93
    call $perf_start
    call $perf_end
  )
  (func $f92 (;94;) (type 0)
    i32.const 94
    call $perf_start
    call $perf_end
  )
  (func $f93 (;95;) (type 0)
    i32.const 95
    call $perf_start
    call $perf_end
  )
  (func $f94 (;96;) (type 0)
    i32.const 96
    call $perf_start
    call $perf_end
  )
  (func $f95 (;97;) (type 0)
    i32.const 97
    call $perf_start
    call $perf_end
  )
  (func $f96 (;98;) (type 0)
    i32.const 98
    call $perf_start
    call $perf_end
  )
  (func $f97 (;99;) (type 0)
    i32.const 99
    call $perf_start
    call $perf_end
  )
  (func $f98 (;100;) (type 0)
    i32.const 100
    call $perf_start
    call $perf_end
  )
  (func $f99 (;101;) (type 0)
    i32.const 101
    call $perf_start
    call $perf_end
  )
  (func $f100 (;102;) (type 0)
    i32.const 102
    call $perf_start
    call $perf_end
  )
  (func $f101 (;103;) (type 0)
    i32.const 103
    call $perf_start
    call $perf_end
  )
  (func $f102 (;104;) (type 0)
    i32.const 104
    call $perf_start
    call $perf_end
  )
  (func $f103 (;105;) (type 0)
    i32.const 105
    call $perf_start
    call $perf_end
  )
  (func $f104 (;106;) (type 0)
    i32.const 106
    call $perf_start
    call $perf_end
  )
  (func $f105 (;107;) (type 0)
    i32.const 107
    call $perf_start
    call $perf_end
  )
  (func $f106 (;108;) (type 0)
    i32.const 108
    call $perf_start
    call $perf_end
  )
  (func $f107 (;109;) (type 0)
    i32.const 109
    call $perf_start
    call $perf_end
  )
  (func $f108 (;110;) (type 0)
    i32.const 110
    call $perf_start
    call $perf_end
  )
  (func $f109 (;111;) (type 0)
    i32.const 111
    call $perf_start
    call $perf_end
  )
  (func $f110 (;112;) (type 0)
    i32.const 112
    call $perf_start
    call $perf_end
  )
  (func $f111 (;113;) (type 0)
    i32.const 113
    call $perf_start
    call $perf_end
  )
  (func $f112 (;114;) (type 0)
    i32.const 114
    call $perf_start
    call $perf_end
  )
  (func $f113 (;115;) (type 0)
    i32.const 115
    call $perf_start
    call $perf_end
  )
  (func $f114 (;116;) (type 0)
    i32.const 116
    call $perf_start
    call $perf_end
  )
  (func $f115 (;117;) (type 0)
    i32.const 117
    call $perf_start
    call $perf_end
  )
  (func $f116 (;118;) (type 0)
    i32.const 118
    call $perf_start
    call $perf_end
  )
  (func $f117 (;119;) (type 0)
    i32.const 119
    call $perf_start
    call $perf_end
  )
  (func $f118 (;120;) (type 0)
    i32.const 120
    call $perf_start
    call $perf_end
  )
  (func $f119 (;121;) (type 0)
    i32.const 121
    call $perf_start
    call $perf_end
  )
  (func $f120 (;122;) (type 0)
    i32.const 122
    call $perf_start
    call $perf_end
  )
  (func $f121 (;123;) (type 0)
    i32.const 123
    call $perf_start
    call $perf_end
  )
  (func $f122 (;124;) (type 0)
    i32.const 124
    call $perf_start
    call $perf_end
  )
  (func $f123 (;125;) (type 0)
    i32.const 125
    call $perf_start
    call $perf_end
  )
  (func $f124 (;126;) (type 0)
    i32.const 126
    call $perf_start
    call $perf_end
  )
  (func $last (;127;) (type 0)
    i32.const 127
    call $perf_start
    call $f0
    call $f124
    call $last
    call $perf_end
  )
  (@custom "wasm_instrument" (after code) "\01\051.0.0\04wall\09wasm_perf\00\02~~ min-instructions=0 skip-leaves=0")
)
