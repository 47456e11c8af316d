package com.acme

fun leaf(n: Int): Int = if (n == 0) 0 else leaf(n - 1) + 1

fun main() = println(leaf(100))
