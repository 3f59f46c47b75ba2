(** * ONE: rows that exist at most once need not be counted, but only to exist

    ⟨x̄, ȳ | χ ↦ h⟩ is ⟨x̄ | χ' ↦ h'⟩ under the kernel's four premises (certificates/rules/one.py), which are formulas here as there.
    The rows ȳ are the last slots; [Reorder.swap] moves others there. *)
From Tallystick.core Require Export Normal.

Section One.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  (** What the catalogue says: keys of tables; and columns of numbered rows that no two of them share. *)
  Variables (keys : string -> list (list nat)) (counted : place -> bag -> option (list nat)).
  Hypothesis keys_hold : forall t cs, In cs (keys t) -> satisfies w (Key t cs).
  Hypothesis counted_holds : forall e n b cs, counted n b = Some cs -> ForallOrdPairs (fun v u => cells cs v <> cells cs u) (ms w blocks named e (Block n b)).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation ms := (ms w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).

  (** Why two rows of a source are one row, of weight 1: as a formula about two slots, and as what it says of rows. *)
  Definition all (ts : list term) : term := fold_right conj2 yes ts.
  Definition any (ts : list term) : term := fold_right disj2 no ts.
  Definition agree (cs : list nat) (i j : nat) : term := all (map (fun c => conj2 (ap2 IsSame (Cell i c) (Cell j c)) (ap1 Known (Cell j c))) cs).
  Definition slot_alike (s : source) (i j : nat) : term := match s with
    | Table t => any (map (fun cs => agree cs i j) (keys t)) | Support _ => Alike i j | Block n b =>
        match counted n b with Some cs => all (map (fun c => ap2 IsSame (Cell i c) (Cell j c)) cs) | None => no end end.
  Fixpoint alike_term (ss : list source) (m : nat) : term := match ss with
    | [] => yes | s :: ss => conj2 (slot_alike s (m + List.length ss) (List.length ss)) (alike_term ss m) end.
  Definition row_alike (s : source) (v u : row) : bool := match s with
    | Table t => existsb (forallb (fun c => same (nth c v Null) (nth c u Null) && negb (is_null (nth c u Null)))) (keys t)
    | Support _ => same_row v u | Block n b => match counted n b with Some cs => forallb (fun c => same (nth c v Null) (nth c u Null)) cs | None => false end end.
  Fixpoint alike (ss : list source) (a b : env) : bool := match ss with
    | [] => true | s :: ss => row_alike s (a (List.length ss)) (b (List.length ss)) && alike ss a b end.

  Lemma slot_alike_ok s i j e : is_true (mt e (slot_alike s i j)) = row_alike s (e i) (e j).
  Proof.
    destruct s as [t|b|n b]; cbn [slot_alike row_alike]; [|reflexivity|].
    2: { destruct (counted n b) as [cs|]; [|reflexivity]. induction cs as [|c cs IH]; auto. cbn [map all fold_right forallb]. rewrite conj2_ok. f_equal. exact IH. }
    induction (keys t) as [|cs l IH]; auto. cbn [map existsb any fold_right]. rewrite disj2_ok. f_equal; [|exact IH]. clear.
    unfold agree. induction cs as [|c cs IH]; auto. cbn [map all fold_right forallb]. rewrite conj2_ok. f_equal; [|exact IH]. rewrite conj2_ok. reflexivity.
  Qed.
  Lemma alike_term_ok ss m e a b : (forall j, (j < List.length ss)%nat -> e (m + j) = a j /\ e j = b j) -> is_true (mt e (alike_term ss m)) = alike ss a b.
  Proof.
    induction ss as [|s ss IH]; intros H; auto. cbn [alike_term alike]. cbn [List.length] in H. rewrite conj2_ok, slot_alike_ok.
    destruct (H (List.length ss)) as [-> ->]; [lia|]. f_equal. apply IH. intros j J. apply H. lia.
  Qed.

  Lemma ordered_pairs {A} (R : A -> A -> Prop) l : (forall x y, R x y) -> ForallOrdPairs R l.
  Proof. intros H. induction l; constructor; auto. apply Forall_forall. auto. Qed.
  (** No two places of a source hold rows that are alike. *)
  Lemma not_alike s e : ForallOrdPairs (fun v u => row_alike s v u = false) (ms e s).
  Proof.
    destruct s as [t|b|n b]; cbn [row_alike].
    - change (ms e (Table t)) with (tables w t). generalize (keys_hold t). generalize (keys t).
      clear. intros l. induction l as [|cs l IH]; intros KH; cbn [existsb].
      { now apply ordered_pairs. }
      assert (A : satisfies w (Key t cs)) by (apply KH; now left). assert (B := IH (fun k I => KH k (or_intror I))). cbn [satisfies] in A. clear -A B.
      induction (tables w t) as [|r rs IH]; [constructor|]. inversion A; inversion B; subst. constructor; auto. clear -H1 H5.
      rewrite Forall_forall in *. intros u U. rewrite (H5 u U), orb_false_r. specialize (H1 u U). apply not_true_is_false. intros F. rewrite forallb_forall in F.
      assert (E : cells cs r = cells cs u /\ ~ In Null (cells cs r)).
      { unfold cells. clear -F. induction cs as [|c cs IH]; cbn; [auto|]. destruct IH as [I J]; [intros; apply F; now right|]. specialize (F c (or_introl eq_refl)).
        unfold same in F. destruct (value_eq_dec (nth c r Null) (nth c u Null)) as [E|]; [|discriminate]. rewrite E. split; [now f_equal|]. intros [X|X]; [|auto]. now rewrite X in F. }
      destruct E as [E N]. destruct H1 as [X|X]; auto.
    - change (ms e (Support b)) with (nodup row_eq_dec (mb w blocks named e b)). assert (N := NoDup_nodup row_eq_dec (mb w blocks named e b)).
      revert N. generalize (nodup row_eq_dec (mb w blocks named e b)). intros rs N. induction N as [|r l I N IH]; constructor; auto. apply Forall_forall. intros u U.
      unfold same_row. destruct (row_eq_dec r u); auto. now subst.
    - destruct (counted n b) as [cs|] eqn:S; [|now apply ordered_pairs]. pose proof (counted_holds e n b cs S) as D. induction D as [|r l X D IH]; constructor; auto.
      eapply Forall_impl; [|exact X]. intros u U. apply not_true_is_false. intros F. apply U. rewrite forallb_forall in F. unfold cells. apply map_ext_in. intros c K. specialize (F c K).
      unfold same in F. now destruct (value_eq_dec _ _).
  Qed.

  (** Where all choices that satisfy [P] are alike in each slot, there is one at most: one place, not only one row. *)
  Lemma at_most_one ss : forall e P, (forall a b, In a (choices e ss) -> In b (choices e ss) -> P a = true -> P b = true -> alike ss a b = true) ->
    (List.length (filter P (choices e ss)) <= 1)%nat.
  Proof.
    induction ss as [|s ss IH]; intros e P H; cbn [Normal.choices] in *; [cbn; destruct (P e); cbn; lia|].
    pose proof (not_alike s e) as D. revert D H. induction (ms e s) as [|r l IHl]; intros D H; [cbn; lia|]. inversion D as [|? ? D1 D2]; subst.
    cbn [flat_map] in *. rewrite filter_app, app_length.
    assert (L1 : (List.length (filter P (choices (push r e) ss)) <= 1)%nat).
    { apply IH. intros a b A B PA PB. specialize (H a b ltac:(apply in_or_app; now left) ltac:(apply in_or_app; now left) PA PB). cbn [alike] in H. now apply andb_prop in H. }
    assert (L2 : (List.length (filter P (flat_map (fun r => choices (push r e) ss) l)) <= 1)%nat).
    { apply IHl; auto. intros a b A B. apply H; apply in_or_app; now right. }
    destruct (filter P (choices (push r e) ss)) as [|a k] eqn:F1; [exact L2|]. destruct (filter P (flat_map _ l)) as [|b k'] eqn:F2; [cbn in *; lia|]. exfalso.
    assert (A : In a (a :: k)) by now left. assert (B : In b (b :: k')) by now left. rewrite <- F1 in A. rewrite <- F2 in B. apply filter_In in A as [A PA]. apply filter_In in B as [B PB].
    specialize (H a b ltac:(apply in_or_app; now left) ltac:(apply in_or_app; now right) PA PB). cbn [alike] in H. apply andb_prop in H as [H _].
    apply in_flat_map in B as (r' & R & B). pose proof (choices_outer w blocks named ss _ _ A 0%nat) as XA. pose proof (choices_outer w blocks named ss _ _ B 0%nat) as XB.
    rewrite Nat.add_0_r in XA, XB. cbn in XA, XB. rewrite XA, XB in H. rewrite Forall_forall in D1. now rewrite (D1 r' R) in H.
  Qed.

  (** The premises, as one.py has them: Unique, HeadsAgree, Necessary, Sufficient. *)
  Section Rule.
    Variables (rows xs ys : list source) (given chi : term) (h : terms) (chi' : term) (h' : terms).
    Let m := List.length ys. Let n := List.length xs.
    Definition unique : premise := (rows ++ xs ++ ys ++ rtele (Nat.add m) ys,
      implies (conj2 (shift (m + m + n) given) (conj2 (shift m chi) (rt (upn m (Nat.add m)) chi))) (alike_term ys m)).
    Definition heads_agree : premise := (rows ++ xs ++ ys, implies (conj2 (shift (m + n) given) chi) (same_terms h (shifts m h'))).
    Definition necessary : premise := (rows ++ xs ++ ys, implies (conj2 (shift (m + n) given) chi) (shift m chi')).
    Definition sufficient : premise := (rows ++ xs, implies (conj2 (shift n given) chi') (Ex (Bc (takes ys (Give chi Tn)) Bn))).
    Definition one_premises : list premise := [unique; heads_agree; necessary; sufficient].

    Theorem one_sound : Forall valid one_premises -> forall e, In e (choices base rows) -> is_true (mt e given) = true ->
      mm e (takes xs (takes ys (Give chi h))) = mm e (takes xs (Give chi' h')).
    Proof.
      intros V e E G. inversion V as [|? ? V1 W1]; inversion W1 as [|? ? V2 W2]; inversion W2 as [|? ? V3 W3]; inversion W3 as [|? ? V4 _]; subst. clear V W1 W2 W3.
      unfold Normal.valid in *. cbn [fst snd unique heads_agree necessary sufficient] in *. rewrite !mm_takes.
      assert (IN : forall a, In a (choices e xs) -> In a (choices base (rows ++ xs))) by (intros a A; rewrite choices_app; apply in_flat_map; now exists e).
      assert (OX : forall a, In a (choices e xs) -> forall i, a (n + i)%nat = e i) by (intros a A i; exact (choices_outer w blocks named xs e a A i)).
      assert (IN2 : forall a b, In a (choices e xs) -> In b (choices a ys) -> In b (choices base (rows ++ xs ++ ys))).
      { intros a b A B. rewrite app_assoc, choices_app. apply in_flat_map. exists a. auto. }
      assert (OY : forall a b, In b (choices a ys) -> forall i, b (m + i)%nat = a i) by (intros a b B i; exact (choices_outer w blocks named ys a b B i)).
      assert (GY : forall a b, In a (choices e xs) -> In b (choices a ys) -> is_true (mt b (shift (m + n) given)) = true).
      { intros a b A B. rewrite (shift_ok w blocks named (m + n) given e b); auto. intros i. rewrite <- Nat.add_assoc, (OY a b B). now apply OX. }
      assert (X : forall a, In a (choices e xs) -> mm a (takes ys (Give chi h)) = mm a (Give chi' h')).
      2: { clear -X. induction (choices e xs) as [|a l IH]; cbn [flat_map]; auto. rewrite X by now left. f_equal. apply IH. intros; apply X; now right. }
      intros a A. rewrite mm_takes. set (P := fun b => is_true (mt b chi)).
      assert (L : (List.length (filter P (choices a ys)) <= 1)%nat).
      { apply at_most_one. intros b c B C PB PC.
        destruct (choices_renamed w blocks named ys a b (Nat.add m) c (OY a b B) C) as (c' & C1 & C2).
        assert (C3 : forall i, c' (m + i)%nat = b i).
        { intros i. rewrite <- (choices_outer w blocks named _ _ _ C1 i). now rewrite rtele_length. }
        rewrite <- (alike_term_ok ys m c' b c); [|intros j J; split; [apply C3|rewrite <- C2; now rewrite upn_below]].
        refine (proj1 (implies_ok w blocks named c' _ _) (V1 c' _) _).
        - rewrite app_assoc, choices_app. apply in_flat_map. exists a. split; [now apply IN|]. rewrite choices_app. apply in_flat_map. now exists b.
        - rewrite !conj2_ok, !andb_true_iff. split; [|split].
          + rewrite (shift_ok w blocks named (m + m + n) given e c'); auto. intros i. rewrite <- !Nat.add_assoc, C3, (OY a b B). now apply OX.
          + now rewrite (shift_ok w blocks named m chi b c').
          + rewrite (rt_ok w blocks named chi c c' (upn m (Nat.add m)) C2). exact PC. }
      transitivity (map (fun b => mts b h) (filter P (choices a ys))).
      { clear. induction (choices a ys) as [|b l IH]; cbn [flat_map filter map]; auto. rewrite IH. change (mm b (Give chi h)) with (if P b then [mts b h] else []). destruct (P b); reflexivity. }
      change (mm a (Give chi' h')) with (if is_true (mt a chi') then [mts a h'] else []).
      destruct (filter P (choices a ys)) as [|b [|]] eqn:F; [| |cbn in L; lia].
      - destruct (is_true (mt a chi')) eqn:C; [exfalso|reflexivity].
        assert (S' := proj1 (implies_ok w blocks named a _ _) (V4 a (IN a A))). rewrite conj2_ok, (shift_ok w blocks named n given e a (OX a A)), G, C in S'. specialize (S' eq_refl).
        change (mt a (Ex (Bc (takes ys (Give chi Tn)) Bn))) with (Truth match mm a (takes ys (Give chi Tn)) ++ [] with [] => false | _ => true end) in S'. rewrite app_nil_r, mm_takes in S'.
        assert (F' : flat_map (fun e => mm e (Give chi Tn)) (choices a ys) = []).
        { clear -F. induction (choices a ys) as [|b l IH]; cbn [flat_map filter] in *; auto. change (mm b (Give chi Tn)) with (if P b then [mts b Tn] else []). destruct (P b); [discriminate|]. now apply IH. }
        now rewrite F' in S'.
      - assert (B : In b [b]) by now left. rewrite <- F in B. apply filter_In in B as [B PB]. cbn [map].
        assert (N := proj1 (implies_ok w blocks named b _ _) (V3 b (IN2 a b A B))). rewrite conj2_ok, (GY a b A B), (shift_ok w blocks named m chi' a b (OY a b B)) in N. rewrite (N PB).
        assert (H := proj1 (implies_ok w blocks named b _ _) (V2 b (IN2 a b A B))). rewrite conj2_ok, (GY a b A B) in H. specialize (H PB). apply same_terms_ok in H.
        rewrite H. now rewrite (shifts_ok w blocks named m h' a b (OY a b B)).
    Qed.
  End Rule.
End One.
