package main

import "testing"

func TestBranch(t *testing.T) {
	if branch(3) != 21 {
		t.Fatal("wrong sum")
	}
}
